import { EditorView } from '@codemirror/view'

/**
 * Handles text typed over a selection. By default Chromium keeps the style of the replaced text in a style attribute, which the page's
 * Content-Security-Policy refuses and reports. CodeMirror would remove the attribute anyway.
 */
export const typeOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { from, to, empty } = view.state.selection.main
    const { inputType, data } = event
    if (inputType !== 'insertText' || !data || empty || view.composing) return false
    event.preventDefault()
    const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type' })
    const isHandled = view.state
      .facet(EditorView.inputHandler)
      .some((handle) => handle(view, from, to, data, insert))
    if (!isHandled) view.dispatch(insert())
    return true
  },
})
