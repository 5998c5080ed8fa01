"""From plain text to claims: sentences and turns with speaker and time resolved, their place kept."""
