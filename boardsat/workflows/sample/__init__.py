"""Sample workflow: select a sampler, draw boards, check each, select a diverse subset."""
