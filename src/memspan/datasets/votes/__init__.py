"""What many say of the same objects: tables of object, source and value, with the truth beside them."""
