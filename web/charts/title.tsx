import { Link } from 'wouter-preact'

interface TitleProps {
  text: string
  anchor: string | undefined
  href: string | undefined
}

/** The title of a chart: a link to it, or to where it is shown in detail. On the keyboard, the chart's menu has the link to it. */
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

/** The link makes a new entry in the browser's history, which gets the way back from a zoom, too. */
function keepState(): void {
  const { state } = history
  setTimeout(() => history.replaceState(state, ''))
}
