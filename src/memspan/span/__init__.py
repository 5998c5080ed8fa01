"""Claims, a generation operator and answerability to a material with supports."""
