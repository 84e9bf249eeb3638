"""The sample workflow: choose a sampler, draw boards at random, check each, pick some far apart."""
