"""Archive workflow: create, verify and submit folders of instances with evidence for answers."""
