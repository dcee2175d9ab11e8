import { useEffect, useRef } from 'preact/hooks'

import { mod } from './typing.ts'

/** The keys of the pages and their actions, by the place where they work. */
const keys: [string, [string[], string][]][] = [
  [
    'Everywhere',
    [
      [[`${mod} K`, '/'], 'Jump to a page, machine or GPU type'],
      [['?'], 'This list'],
      [['Esc'], 'Close a menu or a dialog'],
    ],
  ],
  [
    'Market and API reference',
    [
      [['/'], 'Go to the search'],
      [['Enter'], 'In the search: open the first one found'],
      [['↑', '↓'], 'From one GPU type to the next'],
    ],
  ],
  [
    'Pricing',
    [
      [['J', 'K'], 'To the next or the previous machine'],
      [['S'], 'Review the price that the button sets'],
    ],
  ],
  [
    'A chart that has the focus',
    [
      [['←', '→'], 'Move the crosshair of all charts'],
      [['Page Up', 'Page Down'], 'Move it by a tenth'],
      [['Home', 'End'], 'To the first or the newest point'],
      [['+', '-'], 'Zoom in and out'],
      [['Esc'], 'Take the crosshair away'],
    ],
  ],
  [
    'SQL console',
    [
      [[`${mod} Enter`], 'Run the statement'],
      [['Ctrl Space'], 'Suggest how a word goes on'],
      [['Tab'], 'Take the suggestion'],
      [[`${mod} F`], 'Search in the statement'],
      [[`${mod} /`], 'Comment a line out'],
      [['Alt N', 'Alt W'], 'Open and close a tab'],
      [['Alt Page Up', 'Alt Page Down'], 'From tab to tab'],
    ],
  ],
  [
    'Result of a statement',
    [
      [['←', '→', '↑', '↓'], 'From cell to cell'],
      [[`${mod} Home`, `${mod} End`], 'To the first or the last cell'],
      [['Enter'], 'On a heading: sort by the column'],
      [[`${mod} C`], 'Copy the cell'],
    ],
  ],
]

/** The keys of all pages. */
export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} class="keys" aria-labelledby="keys-title" onClose={onClose}>
      <article>
        <header>
          <h2 id="keys-title">Keys</h2>
          <button type="button" class="plain" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </header>
        <div class="lists">
          {keys.map(([where, list]) => (
            <section key={where}>
              <h3>{where}</h3>
              <dl>
                {list.map(([pressed, does]) => (
                  <div key={does}>
                    <dt>
                      {pressed.map((key) => (
                        <kbd key={key}>{key}</kbd>
                      ))}
                    </dt>
                    <dd>{does}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </article>
    </dialog>
  )
}
