"""Which item answers which question: ans(n, q) as calibrated probabilities, and read policies."""
