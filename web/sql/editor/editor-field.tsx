import { useEffect, useRef } from 'preact/hooks'
import { useNames } from '../../api/queries.ts'
import { theme } from '../../theme.ts'
import { useSchema } from '../api.ts'
import type { SqlConsole } from '../console.ts'
import { idOf, queryPanel } from '../run/tab-bar.tsx'
import { takeLink } from './draft.ts'
import { type Editor, openEditor } from './editor.ts'

/** The element of the page that contains the editor. */
export function EditorField({ desk }: { desk: SqlConsole }) {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor>()
  const { data: schema } = useSchema()
  const { data: gpus } = useNames()

  useEffect(() => {
    if (!host.current) return
    const opened = openEditor(host.current, {
      text: desk.text.peek(),
      onRun: desk.start,
      onChange: desk.noteChange,
    })
    editor.current = opened
    desk.attach(opened)
    return () => opened.view.destroy()
  }, [desk])
  useEffect(() => editor.current?.use(theme.value), [theme.value])
  useEffect(() => editor.current?.know(schema, gpus?.map(({ name }) => name) ?? []), [schema, gpus])
  useEffect(() => {
    // A link with a statement, followed now or while the console is open.
    const follow = () => {
      const linked = takeLink()
      if (linked) desk.open(linked)
    }
    follow()
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [desk])

  return (
    <div
      class="editor"
      ref={host}
      role="tabpanel"
      id={queryPanel}
      aria-labelledby={idOf(desk.tabs.chosen.value.id)}
    />
  )
}
