"""Generation operators Φ: claims in, knowledge items with their minimal supports out."""
