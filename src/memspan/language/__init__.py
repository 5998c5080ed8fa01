"""What text is made of: words, stems, sentences, dates, names. No model, no file."""
