import { Link } from 'wouter-preact'

interface TitleProps {
  text: string
  anchor: string | undefined
  href: string | undefined
}

/** The title of a chart: a link to the chart, or to its detailed page. On the keyboard, the chart's menu has the link to it. */
export const Title = ({ text, anchor, href }: TitleProps) => (
  <span class="title">
    {href ? (
      <Link href={href}>{text}</Link>
    ) : anchor ? (
      <a class="anchor" href={`#${anchor}`} tabIndex={-1} onClick={keepState}>
        {text}
      </a>
    ) : (
      text
    )}
  </span>
)

/** The link adds an entry to the browser's history, so the ranges before a zoom are copied into it. */
function keepState(): void {
  const { state } = history
  setTimeout(() => history.replaceState(state, ''))
}
