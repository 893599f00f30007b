"""What attention is used for, each as small as it can be and still be measured.

One module for each application: `sentiment`, `questions`, `summaries`, `captions`, `detection`,
`speech`. Each is an experiment like the others and says what it shows and what it leaves out. For
translation see `attnlab.experiments.bottleneck`.
"""
