/** Why what the user asked for was not done. */
export const Failure = ({ text }: { text: string | undefined }) =>
  text ? (
    <p class="banner trouble" role="alert">
      {text}
    </p>
  ) : null
