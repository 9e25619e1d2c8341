"""How the app is served: launch, processes, warm-up, security, compression, addresses."""
