"""What `memspan extract --model` does: it prices, keeps every answer, and goes on where it stopped."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import typer

from memspan.cli.errand import Asked, Errand
from memspan.cli.extracting import counted, deliver, read_errand
from memspan.cli.terminal import printable
from memspan.errors import ModelError
from memspan.extraction import Document, Estimate, Journal, atomic_claims, estimate
from memspan.extraction.asking import is_failure
from memspan.material import Material
from memspan.ports import ChatModel


def run_asking(errand: Errand, asked: Asked) -> None:
    """Price the work, or let the model do it; where windows are left over, claims written before stay.

    The exit status is then 1, and 2 where nothing was found at all.
    """
    if asked.cap is not None and asked.prices is None:
        raise typer.BadParameter("--cap needs --prices IN,OUT: what a million tokens cost")
    documents = read_errand(errand)
    journal = Journal(errand.out.with_name(f"{errand.out.name}.journal"))
    with chat_of(asked) as chat:
        if asked.dry_run:
            _tell_price(errand, asked, estimate(documents, chat.name, journal))
            return
        materials = _asked(documents, chat, journal)
        unfinished = sum(material.extra["extracted"]["unfinished"] for material in materials)
        if unfinished:
            _keep_what_is_there(errand, materials, journal)
        if asked.questions:
            materials = [_questioned(material, chat, asked.questions) for material in materials]
    deliver(errand, materials)
    if not unfinished:
        journal.discard()
        return
    _say(f"{counted(unfinished, 'window')} not finished; run the same command again to ask only for the rest")
    raise typer.Exit(1)


def _keep_what_is_there(errand: Errand, materials: Sequence[Material], journal: Journal) -> None:
    """Leave without writing where there is no claim to write, or where claims would be lost by it."""
    why = "; ".join(dict.fromkeys(reason for material in materials for reason in _failures(material)))
    again = "run the same command again when the model answers"
    if len(journal):
        again = f"the answers so far are in {journal.path}, and the same command goes on"
    if not any(material.claims for material in materials):
        _say(f"no claim was found and nothing is written: {why}; {again}")
        raise typer.Exit(2)
    if errand.out.exists():
        _say(f"{errand.out} stays as it was, for not all is asked: {why}; {again}")
        raise typer.Exit(1)


def _failures(material: Material) -> list[str]:
    """Return why a model did not answer, each reason once."""
    return [dropped.reason for dropped in material.dropped if is_failure(dropped)]


def _say(text: str) -> None:
    print(printable(text), file=sys.stderr)  # noqa: T201 - the command line speaks


@contextmanager
def chat_of(asked: Asked) -> Iterator[ChatModel]:
    """Open the model with its cache on disk, and its cap where prices are given."""
    from memspan.models import Answers, Cached, Capped, OpenAIChat, Price

    server = OpenAIChat(asked.model, asked.url) if asked.url else OpenAIChat(asked.model)
    paid: ChatModel = server
    if asked.prices is not None:
        cap = float("inf") if asked.cap is None else asked.cap
        paid = Capped(server, Price(*asked.prices), cap)
    with server, Answers() as answers:
        yield Cached(paid, answers)


def _questioned(material: Material, chat: ChatModel, most: int) -> Material:
    """Let the model write questions; where it fails, the claims stay without."""
    from memspan.extraction.model_questions import model_questions

    try:
        return model_questions(material, chat, most)
    except ModelError as error:
        _say(f"{material.id}: no questions: {error}")
        return material


def _asked(documents: Sequence[Document], chat: ChatModel, journal: Journal) -> list[Material]:
    from memspan.cli.meter import Meter
    from memspan.optimum import Progress

    with Meter() as meter:
        materials = []
        for number, document in enumerate(documents):
            meter.begin(document.id, number, len(documents))

            def tell(done: int, of: int) -> None:
                meter.tell(Progress("asking", done, of))

            try:
                materials.append(atomic_claims(document, chat, journal=journal, report=tell))
            except KeyboardInterrupt:
                known = counted(len(journal), "answer")
                _say(f"interrupted; {known} kept in {journal.path}; run the same command again to go on")
                raise
        return materials


def _tell_price(errand: Errand, asked: Asked, found: Estimate) -> None:
    money = None if asked.prices is None else found.money(*asked.prices)
    if errand.as_json:
        record = {
            "windows": found.windows,
            "known": found.known,
            "tokens_in": found.tokens_in,
            "tokens_out": found.tokens_out,
            "money": money,
        }
        json.dump(record, sys.stdout)
        sys.stdout.write("\n")
        return
    cost = "give --prices IN,OUT for the money" if money is None else f"about {money:,.4f} in all"
    known = f", {found.known:,} answered already" if found.known else ""
    typer.echo(
        f"{Path(errand.path).name}: {counted(found.windows, 'window')}{known}; about {found.tokens_in:,} "
        f"tokens to read and {found.tokens_out:,} to write; {cost}"
    )
