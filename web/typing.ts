const fields = 'input, select, textarea, [contenteditable=true]'

/** True if a key goes into a field, also one inside the editor's shadow tree: it is no shortcut then. */
export function isTyping(event: Event): boolean {
  const [target] = event.composedPath()
  return target instanceof Element && target.matches(fields)
}

/** The key of shortcuts on this system. */
export const mod = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'
