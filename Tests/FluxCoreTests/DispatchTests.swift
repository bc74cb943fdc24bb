import FluxCore
import Testing

@Suite struct DispatchTests {}
