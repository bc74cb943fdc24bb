import Flux

/// Replaces a wish with an error message if twenty films are already on the wish list.
let wishLimit: Middleware<BrowserState> = transformActions(of: ToggleWish.self) { store, wish in
  let wished = store.state?.marks.wished ?? []
  if wished.count < 20 || wished.contains(wish.film) { return wish }
  return Show(screen: .trouble("Twenty films are enough. Take one off the wish list first."))
}
