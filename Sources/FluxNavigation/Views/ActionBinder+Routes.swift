import FluxCore
public import FluxUI

// Bindings for the navigation views of SwiftUI. A view can report that it has closed a screen after
// an action has already removed the screen. Each setter therefore names the screen, and a late
// report has no effect.

extension ActionBinder {
  /// Binds the screens above a root, for `NavigationStack(path:)`.
  ///
  /// ```swift
  /// NavigationStack(path: props.$path) {
  ///   FilmList().navigationDestination(for: RouteEntry<Route>.self) { entry in
  ///     ScreenView(entry)
  ///   }
  /// }
  /// ```
  ///
  /// If the user goes back, the setter dispatches an action that removes the closed screens. The
  /// setter ignores screens that a view adds. To add a screen, dispatch ``RouteSlice/push(_:)``.
  ///
  /// - Parameters:
  ///   - stack: The stack that contains the screens, which can be the stack of a tab.
  ///   - slice: The slice that creates the actions.
  ///   - root: The root of a modal, or `nil` for the root of the stack.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func path<Root, Routes>(
    of stack: RouteStack<Routes.Route>, in slice: RouteSlice<Root, Routes>, above root: ScreenID? = nil,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> ActionBinding<[RouteEntry<Routes.Route>]> {
    let root = root ?? stack.root.id
    let path = stack.path(above: root)
    return bind(path, file: file, line: line, column: column) { new in
      guard new.count < path.count, path.starts(with: new) else { return nil }
      return slice.pop(to: new.last?.id ?? root)
    }
  }

  /// Binds the modal that covers a path, for the modifiers `sheet(item:)` and
  /// `fullScreenCover(item:)`.
  ///
  /// ```swift
  /// .sheet(item: props.$sheet) { modal in FilterView() }
  /// ```
  ///
  /// If the user closes the modal, the setter dispatches an action that dismisses it. To show a
  /// modal, dispatch ``RouteSlice/present(_:as:)``.
  ///
  /// - Parameters:
  ///   - style: The style of the modal. The value is `nil` while a modal with another style covers
  ///     the path.
  ///   - stack: The stack that contains the modal, which can be the stack of a tab.
  ///   - slice: The slice that creates the actions.
  ///   - root: The root of the modal whose path is covered, or `nil` for the root of the stack.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func modal<Root, Routes>(
    _ style: ModalStyle, of stack: RouteStack<Routes.Route>, in slice: RouteSlice<Root, Routes>,
    above root: ScreenID? = nil, file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> ActionBinding<RouteModal<Routes.Route>?> {
    let modal = stack.modal(above: root ?? stack.root.id).flatMap { $0.style == style ? $0 : nil }
    return bind(modal, file: file, line: line, column: column) { new in
      guard new == nil, let modal else { return nil }
      return slice.dismiss(modal.id)
    }
  }

  /// Binds a Boolean value that indicates whether a modal covers a path, for the modifiers
  /// `alert(_:isPresented:)` and `confirmationDialog(_:isPresented:)`.
  ///
  /// If the user closes the modal, the setter dispatches an action that dismisses it.
  ///
  /// - Parameters:
  ///   - style: The style of the modal.
  ///   - stack: The stack that contains the modal, which can be the stack of a tab.
  ///   - slice: The slice that creates the actions.
  ///   - root: The root of the modal whose path is covered, or `nil` for the root of the stack.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func isPresented<Root, Routes>(
    _ style: ModalStyle, of stack: RouteStack<Routes.Route>, in slice: RouteSlice<Root, Routes>,
    above root: ScreenID? = nil, file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> ActionBinding<Bool> {
    let modal = stack.modal(above: root ?? stack.root.id).flatMap { $0.style == style ? $0 : nil }
    return bind(modal != nil, file: file, line: line, column: column) { isPresented in
      guard !isPresented, let modal else { return nil }
      return slice.dismiss(modal.id)
    }
  }

  /// Binds the selected tab, for `TabView(selection:)`.
  ///
  /// - Parameters:
  ///   - tabs: The tabs.
  ///   - slice: The slice that creates the actions.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func selection<Root, Tab, Route>(
    of tabs: RouteTabs<Tab, Route>, in slice: RouteSlice<Root, RouteTabs<Tab, Route>>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> ActionBinding<Tab> {
    bind(tabs.selected, file: file, line: line, column: column) { slice.select($0) }
  }
}

extension RouteStack {
  /// Returns the screens above the root of the stack or of a modal, without the modals above them.
  ///
  /// If no path begins with the screen, the method returns an empty array.
  ///
  /// - Parameter root: The identity of the first screen of the path.
  public func path(above root: ScreenID) -> [RouteEntry<Route>] {
    layers.first { $0.entries[0].id == root }.map { Array($0.entries.dropFirst()) } ?? []
  }

  /// Returns the modal that covers a path, or `nil` if no modal covers it.
  ///
  /// - Parameter root: The identity of the first screen of the path.
  public func modal(above root: ScreenID) -> RouteModal<Route>? {
    guard let layer = layers.firstIndex(where: { $0.entries[0].id == root }), layer + 1 < layers.count
    else { return nil }
    return modals[layer]
  }
}
