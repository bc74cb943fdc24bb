import FluxCore

/// An action that a plug-in of this module reduces, so that the store's reducer need not handle it.
protocol PluginAction: Action {}

extension StoreAction: PluginAction {}
extension HistoryAction: PluginAction {}
extension HistoryImport: PluginAction {}
extension RestoreSaved: PluginAction {}
