"""English–French text: readers for parallel corpora, tokenisers and batches."""
