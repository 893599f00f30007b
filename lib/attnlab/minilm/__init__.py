"""Rebuild a trained sentence encoder, all-MiniLM-L6-v2, with `attn`, also for a page.

`encoder` is the model in NumPy. `package` finds its published parameters where they are installed,
`page_files` makes of them what the site carries, about 11 MB of matrices in 8 bits and the rows of
the words apart, and `page_model` reads those files again, in a page, a notebook or a test.

The model is by the authors of sentence-transformers, under the Apache License 2.0, made from
MiniLM-L6-H384-uncased. Wang et al. (2020), "MiniLM"; Devlin et al. (2019), "BERT", for the layers.
"""
