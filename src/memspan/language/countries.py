"""Countries by any of their usual names: Italy, Italian and the Italian Republic are one.

Facts only: today's states and some former ones, each with the word for its people.
"""

from __future__ import annotations

from functools import cache

from memspan.language.words import words

_NAMES = """
Afghanistan, Afghan; Albania, Albanian; Algeria, Algerian; Andorra, Andorran; Angola, Angolan
Antigua and Barbuda, Antiguan; Argentina, Argentine, Argentinian; Armenia, Armenian; Australia, Australian
Austria, Austrian; Azerbaijan, Azerbaijani, Azeri; Bahamas, Bahamian; Bahrain, Bahraini
Bangladesh, Bangladeshi; Barbados, Barbadian; Belarus, Belarusian, Byelorussian; Belgium, Belgian
Belize, Belizean; Benin, Beninese; Bhutan, Bhutanese; Bolivia, Bolivian
Bosnia and Herzegovina, Bosnian, Bosnia, Bosnia-Herzegovina, Bosnian-Herzegovinian; Botswana, Motswana
Brazil, Brazilian; Brunei, Bruneian; Bulgaria, Bulgarian; Burkina Faso, Burkinabé; Burundi, Burundian
Cambodia, Cambodian; Cameroon, Cameroonian; Canada, Canadian; Cape Verde, Cape Verdean, Cabo Verde
Central African Republic, Central African; Chad, Chadian; Chile, Chilean
China, Chinese, People's Republic of China, PRC; Colombia, Colombian; Comoros, Comorian
Costa Rica, Costa Rican; Croatia, Croatian, Croat; Cuba, Cuban; Cyprus, Cypriot
Czech Republic, Czech, Czechia; Czechoslovakia, Czechoslovak, Czechoslovakian
Democratic Republic of the Congo, DR Congo, Zaire, Congo-Kinshasa; Republic of the Congo, Congo, Congolese
Denmark, Danish, Dane, Kingdom of Denmark; Djibouti, Djiboutian; Dominica; Dominican Republic, Dominican
East Germany, East German, German Democratic Republic, GDR; East Timor, Timorese, Timor-Leste
Ecuador, Ecuadorian, Ecuadorean; Egypt, Egyptian; El Salvador, Salvadoran, Salvadorean
Equatorial Guinea, Equatoguinean; Eritrea, Eritrean; Estonia, Estonian; Eswatini, Swaziland, Swazi
Ethiopia, Ethiopian; Fiji, Fijian; Finland, Finnish, Finn; France, French, French Republic; Gabon, Gabonese
Gambia, Gambian; Georgia, Georgian; Germany, German, West Germany, West German, Federal Republic of Germany
Ghana, Ghanaian; Greece, Greek; Greenland, Greenlandic; Grenada, Grenadian; Guatemala, Guatemalan
Guinea, Guinean; Guinea-Bissau, Bissau-Guinean; Guyana, Guyanese; Haiti, Haitian; Honduras, Honduran
Hong Kong, Hongkonger; Hungary, Hungarian; Iceland, Icelandic, Icelander; India, Indian, Republic of India
Indonesia, Indonesian; Iran, Iranian, Persian, Persia; Iraq, Iraqi
Ireland, Irish, Republic of Ireland; Israel, Israeli; Italy, Italian, Kingdom of Italy, Italian Republic
Ivory Coast, Ivorian, Côte d'Ivoire; Jamaica, Jamaican; Japan, Japanese, Empire of Japan; Jordan, Jordanian
Kazakhstan, Kazakhstani, Kazakh; Kenya, Kenyan; Kosovo, Kosovar, Kosovan; Kuwait, Kuwaiti
Kyrgyzstan, Kyrgyz, Kyrgyzstani; Laos, Laotian, Lao; Latvia, Latvian; Lebanon, Lebanese; Lesotho, Basotho
Liberia, Liberian; Libya, Libyan; Liechtenstein, Liechtensteiner; Lithuania, Lithuanian
Luxembourg, Luxembourgish, Luxembourger; Madagascar, Malagasy; Malawi, Malawian; Malaysia, Malaysian
Maldives, Maldivian; Mali, Malian; Malta, Maltese; Mauritania, Mauritanian; Mauritius, Mauritian
Mexico, Mexican; Micronesia, Micronesian; Moldova, Moldovan; Monaco, Monégasque, Monacan; Mongolia, Mongolian
Montenegro, Montenegrin; Morocco, Moroccan; Mozambique, Mozambican; Myanmar, Burmese, Burma
Namibia, Namibian; Nauru, Nauruan; Nepal, Nepali, Nepalese
Netherlands, Dutch, Holland, Kingdom of the Netherlands; New Zealand, New Zealander; Nicaragua, Nicaraguan
Niger, Nigerien; Nigeria, Nigerian; North Korea, North Korean; North Macedonia, Macedonian, Macedonia
Norway, Norwegian, Kingdom of Norway; Oman, Omani; Ottoman Empire, Ottoman; Pakistan, Pakistani
Palestine, Palestinian; Panama, Panamanian; Papua New Guinea, Papua New Guinean; Paraguay, Paraguayan
Peru, Peruvian; Philippines, Filipino, Philippine, Filipina; Poland, Polish, Pole; Portugal, Portuguese
Prussia, Prussian, Kingdom of Prussia; Puerto Rico, Puerto Rican; Qatar, Qatari; Romania, Romanian
Russia, Russian, Russian Federation, Russian Empire; Rwanda, Rwandan; Saint Lucia, Saint Lucian
Samoa, Samoan; San Marino, Sammarinese; Saudi Arabia, Saudi, Saudi Arabian; Senegal, Senegalese
Serbia, Serbian, Serb; Seychelles, Seychellois; Sierra Leone, Sierra Leonean; Singapore, Singaporean
Slovakia, Slovak, Slovakian; Slovenia, Slovenian, Slovene; Solomon Islands, Solomon Islander
Somalia, Somali; South Africa, South African; South Korea, South Korean, Korea, Korean, Republic of Korea
South Sudan, South Sudanese; Soviet Union, Soviet, USSR, U.S.S.R.; Spain, Spanish, Spaniard
Sri Lanka, Sri Lankan, Ceylon; Sudan, Sudanese; Suriname, Surinamese; Sweden, Swedish, Swede
Switzerland, Swiss; Syria, Syrian; Taiwan, Taiwanese, Republic of China; Tajikistan, Tajik, Tajikistani
Tanzania, Tanzanian; Thailand, Thai; Togo, Togolese; Tonga, Tongan
Trinidad and Tobago, Trinidadian, Tobagonian; Tunisia, Tunisian; Turkey, Turkish, Turk, Türkiye
Turkmenistan, Turkmen; Tuvalu, Tuvaluan; Uganda, Ugandan; Ukraine, Ukrainian
United Arab Emirates, Emirati, UAE, U.A.E.; Uruguay, Uruguayan; Uzbekistan, Uzbek, Uzbekistani
United Kingdom, British, Britain, Great Britain, UK, English, England, Scottish, Scotland, Welsh, Wales
United States, American, America, United States of America, USA, US, U.S., U.S.A.
Vanuatu, Ni-Vanuatu; Venezuela, Venezuelan; Vietnam, Vietnamese, South Vietnam; Yemen, Yemeni
Yugoslavia, Yugoslav, Yugoslavian; Zambia, Zambian; Zimbabwe, Zimbabwean, Rhodesia, Rhodesian
"""


def country(text: str) -> str | None:
    """Return the country that *text* names, in any usual form; None where it names none.

    >>> country("U.S."), country("the Italian Republic"), country("Atlantis")
    ('United States', 'Italy', None)
    """
    return _homes().get(_key(text))


def names_of(text: str) -> tuple[str, ...]:
    """Return every name of the country that *text* names; only *text* where it names none.

    >>> names_of("Danish")
    ('Denmark', 'Danish', 'Dane', 'Kingdom of Denmark')
    """
    return _forms().get(country(text) or "", (text,))


@cache
def _forms() -> dict[str, tuple[str, ...]]:
    entries = _NAMES.replace("\n", ";").split(";")
    lists = [tuple(name.strip() for name in entry.split(",")) for entry in entries if entry.strip()]
    return {names[0]: names for names in lists}


@cache
def _homes() -> dict[str, str]:
    return {_key(name): home for home, names in _forms().items() for name in names}


def _key(text: str) -> str:
    return "".join(word for word in words(text) if word != "the")
