// The public declarations here are SwiftUI's, which documents them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A program that shows scenes.
@MainActor @preconcurrency
public protocol App {
  associatedtype Body: Scene

  @SceneBuilder @MainActor @preconcurrency var body: Body { get }

  @MainActor @preconcurrency init()
}

extension App {
  /// Stops the program, because only a `Screen` of a test shows views.
  @MainActor @preconcurrency
  public static func main() { fatalError("\(Self.self) cannot run without SwiftUI") }
}

/// A part of a program, such as a window.
@MainActor @preconcurrency
public protocol Scene {
  associatedtype Body: Scene

  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Scene where Body == Never {
  /// Stops the program: a screen handles these scenes itself.
  public var body: Never { fatalError("\(Self.self) has no body") }
}

extension Never: Scene {}

/// Combines the scenes of a closure, which can contain one scene here.
@resultBuilder
public struct SceneBuilder {
  public static func buildExpression<Content: Scene>(_ content: Content) -> Content { content }

  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

/// Windows with the same content.
public struct WindowGroup<Content: View>: Scene, WindowShowing {
  public typealias Body = Never

  private let content: Content

  public init(@ViewBuilder content: () -> Content) {
    self.content = content()
  }

  var window: any View { content }
}

/// A scene with windows.
@MainActor
protocol WindowShowing {
  /// The content of a new window.
  var window: any View { get }
}

extension Screen {
  /// Shows the first window of a program.
  public convenience init(_ program: some App) {
    guard let scene = program.body as? any WindowShowing else { fatalError("\(program) has no window") }
    self.init { AnyView(scene.window) }
  }
}
