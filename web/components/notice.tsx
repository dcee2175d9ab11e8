import type { ComponentChildren } from 'preact'

/** A page with a message only. */
export function Notice({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <main id="content" tabIndex={-1} class="narrow">
      <article>
        <h1>{title}</h1>
        <div class="stack">{children}</div>
      </article>
    </main>
  )
}
