import Flux
import SwiftUI

#if os(macOS)
  import AppKit
#endif

/// A film browser with a wish list.
@main
struct MoviesApp: App {
  private let store = makeStore(service: BundledMovieService())

  #if os(macOS)
    @NSApplicationDelegateAdaptor(AppDelegate.self) private var delegate
  #endif

  // The state contains the screens of one window, so the app has one window on a Mac.
  var body: some Scene {
    #if os(macOS)
      Window("Movies", id: "movies") { root }
    #else
      WindowGroup { root }
    #endif
  }

  private var root: some View {
    RootView().provideStore(store)
  }
}

#if os(macOS)
  /// The delegate of the app on a Mac.
  final class AppDelegate: NSObject, NSApplicationDelegate {
    // A program that `swift run` starts has no bundle. Without this policy, the window of such a
    // program cannot become the key window.
    func applicationDidFinishLaunching(_ notification: Notification) {
      NSApplication.shared.setActivationPolicy(.regular)
      NSApplication.shared.activate()
    }
  }
#endif
