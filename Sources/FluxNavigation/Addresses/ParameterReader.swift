/// The values of parameters in an address, in the order of the parameters.
struct ParameterReader {
  struct Failure: Error {
    let code: AddressError.Code
    let part: String
  }

  /// The texts of the remaining parameters that are components.
  var texts: ArraySlice<String>
  let address: AddressParts

  /// Returns the value of the next parameter.
  mutating func value<Value>(of parameter: RouteParameter<Value>) throws(Failure) -> Value {
    switch parameter.place {
    case .component:
      let text = texts.removeFirst()
      guard let value = parameter.value(of: text) else { throw Failure(code: .invalidValue, part: text) }
      return value
    case .item(let name, let absent):
      guard let text = address.value(ofItem: name) else {
        guard let absent else { throw Failure(code: .missingItem, part: name) }
        return absent.value
      }
      guard let value = parameter.value(of: text) else {
        throw Failure(code: .invalidValue, part: "\(name)=\(text)")
      }
      return value
    }
  }
}

/// An address that is composed from the values of parameters.
struct ParameterWriter {
  private var texts: [String] = []
  private var parts = AddressParts()

  /// Adds the value of the next parameter.
  mutating func write<Value>(_ value: Value, as parameter: RouteParameter<Value>) {
    let text = parameter.text(of: value)
    switch parameter.place {
    case .component: texts.append(text)
    case .item(let name, let absent):
      if absent?.isAbsent(value) != true { parts.items.append((name, text)) }
    }
  }

  /// Returns the address whose path has the given components.
  func address<Route>(at components: [RouteDefinition<Route>.Component]) -> AddressParts {
    var (address, texts) = (parts, texts[...])
    address.components = components.map { component in
      switch component {
      case .text(let text): text
      case .parameter: texts.removeFirst()
      }
    }
    return address
  }
}
