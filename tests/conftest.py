"""For every test: one torch thread, as on the server; small tensors only lose time to more."""

import torch

torch.set_num_threads(1)
