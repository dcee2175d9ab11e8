/** Text of the document: paragraphs, with code between backticks. */
export const Text = ({ children = '' }: { children?: string | undefined }) => (
  <>
    {children.split(/\n\s*\n/).map((paragraph) => (
      <p key={paragraph}>
        <Line>{paragraph}</Line>
      </p>
    ))}
  </>
)

/** One line of such text. */
export const Line = ({ children = '' }: { children?: string | undefined }) => (
  <>
    {children
      .split(/`([^`]+)`/)
      .map((part, index) => (index % 2 === 0 ? part : <code key={`${index}${part}`}>{part}</code>))}
  </>
)
