import FluxMiddleware
import Foundation
import Testing

@Suite("A JSON value")
struct JSONValueTests {
  private func value(_ text: String) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
  }

  private func text(_ value: JSONValue) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test(
    "a decoded document is encoded as it was",
    arguments: [
      "null", "true", "false", "0", "-7", "9223372036854775807", "-9223372036854775808",
      "18446744073709551615", "0.1", "-2.5", "12345678901234567890.123456789", "\"\"", "\"é\\n\\u0001\"",
      "[]", "{}",
      "[null,[1,[2]],{}]", "{\"a\":{\"b\":[1,2.5,\"x\"]},\"c\":null}",
    ])
  func roundTrip(document: String) throws {
    #expect(try text(value(document)).lowercased() == document.lowercased())
  }

  @Test("a number beyond the range of decimals keeps its value")
  func huge() throws {
    #expect(try value("1e300") == .double(1e300))
    #expect(try value(text(.double(1e300))) == .double(1e300))
  }

  @Test("a number that is too small to be distinguished from zero is refused, and not replaced by zero")
  func tiny() throws {
    #expect(throws: DecodingError.self) { try value("1e-400") }
    #expect(try value("1e-300") == .double(1e-300))
    #expect(try value("-0") == 0 && value("0e-400") == 0)
  }

  @Test("numbers and Boolean values are not confused")
  func kinds() throws {
    #expect(try value("[1,0,true,false]") == [1, 0, true, false])
  }

  @Test(
    "a property list preserves every value",
    arguments: [
      "null", "true", "[1,0,true,false]", "-7", "9223372036854775807", "18446744073709551615", "0.1", "-2.5",
      "12345678901234567890.123456789", "-0.00000000000000000000000000000000000001", "1e300", "-1e-300",
      "{\"a\":{\"b\":[1,2.5,\"x\",null]},\"exponent\":2.5,\"mantissa\":[1]}",
    ])
  func propertyList(document: String) throws {
    let (value, encoder) = (try value(document), PropertyListEncoder())
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      encoder.outputFormat = format
      let data = try encoder.encode(["value": value])
      #expect(try PropertyListDecoder().decode([String: JSONValue].self, from: data) == ["value": value])
    }
  }

  @Test("an object in JSON with the keys of a decimal remains an object")
  func keysOfDecimal() throws {
    let object: JSONValue = [
      "exponent": -1, "isCompact": true, "isNegative": false, "length": 1,
      "mantissa": [15, 0, 0, 0, 0, 0, 0, 0],
    ]
    #expect(try value(text(object)) == object)
  }

  @Test("values can be read, changed, added, and removed by name or position")
  func subscripts() {
    var json: JSONValue = ["todos": [["done": nil, "text": "milk"], 2]]
    json["todos"]?[0]?["done"] = true
    json["todos"]?[0]?["text"] = nil
    json["todos"]?[1] = nil
    json["count"] = 1
    #expect(json == ["todos": [["done": true]], "count": 1])
    #expect(json["todos"]?[0]?["done"] == true)
  }

  @Test("reading where no value exists returns nil, and setting there does nothing")
  func nowhere() {
    var json: JSONValue = [1]
    #expect(json["a"] == nil)
    #expect(json[1] == nil)
    #expect(json[-1] == nil)
    json["a"] = 2
    json[1] = 2
    #expect(json == [1])
  }
}
