"""The models that answer in the demo. None of them exists."""

LARCH, OSPREY, QUILL, TERN = "larch-7b", "osprey-large", "quill-2", "tern-mini"
