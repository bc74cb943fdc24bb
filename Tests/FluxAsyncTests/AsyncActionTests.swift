import FluxAsync
import Testing
