"""What chapter 12, *To today*, owns."""
