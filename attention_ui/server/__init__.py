"""How the app is served: launch, warm-up, security, compression, addresses."""
