def measure(): pass
