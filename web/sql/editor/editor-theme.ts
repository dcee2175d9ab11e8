import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

// Colours are custom properties of the page (tokens.css): they reach into the shadow tree and follow the theme.
const look = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--sql-field)', color: 'var(--pico-color)', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--sql-mono)', lineHeight: '1.6' },
  '.cm-content': { padding: '0.6rem 0', caretColor: 'var(--pico-color)' },
  '.cm-line': { padding: '0 0.9rem 0 0.5rem' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--pico-muted-color)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 0.25rem 0 0.75rem', minWidth: '2.2rem' },
  '.cm-activeLine': { backgroundColor: 'var(--sql-line)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--pico-color)' },
  '.cm-cursor': { borderLeftColor: 'var(--pico-color)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--sql-selection)',
  },
  '.cm-placeholder': { color: 'var(--pico-muted-color)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--sql-raised)',
    color: 'var(--pico-color)',
    border: '1px solid var(--sql-border)',
    borderRadius: '6px',
    boxShadow: '0 4px 16px #0003',
    overflow: 'hidden',
  },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--sql-mono)', fontSize: '12.5px', maxHeight: '16em' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '0.2rem 0.6rem 0.2rem 0.3rem', lineHeight: '1.5' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--pico-primary-background)',
    color: '#fff',
  },
  '.cm-tooltip-autocomplete li[aria-selected] .cm-completionDetail': { color: '#fff' },
  '.cm-completionDetail': { color: 'var(--pico-muted-color)', fontStyle: 'normal', marginLeft: '1rem' },
  '.cm-completionInfo': {
    padding: '0.4rem 0.6rem',
    maxWidth: '20rem',
    fontFamily: 'var(--pico-font-family)',
  },
  '.cm-diagnostic': { padding: '0.4rem 0.7rem', fontFamily: 'var(--pico-font-family)', maxWidth: '40rem' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--sql-error) 1.5px',
    textUnderlineOffset: '3px',
  },
  '.cm-panels': { backgroundColor: 'var(--sql-raised)', color: 'var(--pico-color)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--sql-border)' },
  '.cm-panel.cm-search': { padding: '0.4rem 0.6rem' },
  '.cm-textfield, .cm-button': {
    backgroundColor: 'var(--sql-field)',
    backgroundImage: 'none',
    color: 'var(--pico-color)',
    border: '1px solid var(--sql-border)',
    borderRadius: '4px',
  },
})

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--sql-keyword)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--sql-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--sql-number)' },
  { tag: tags.typeName, color: 'var(--sql-type)' },
  { tag: tags.standard(tags.name), color: 'var(--sql-function)' },
  { tag: tags.comment, color: 'var(--pico-muted-color)', fontStyle: 'italic' },
])

export const editorTheme = [look, syntaxHighlighting(colours)]
