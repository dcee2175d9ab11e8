/** The reason why an action of the user failed. */
export const Failure = ({ text }: { text: string | undefined }) =>
  text ? (
    <p class="banner trouble" role="alert">
      {text}
    </p>
  ) : null
