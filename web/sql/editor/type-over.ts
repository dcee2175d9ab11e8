import { EditorView } from '@codemirror/view'

/**
 * Text typed over a selection. Left to itself Chromium keeps the look of what it replaces in a style attribute, which the page's
 * Content-Security-Policy refuses and reports; CodeMirror would take it out again anyway.
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
