/**
 * A mistake of the user: in the environment, on the command line or in a file named there. The message is a complete sentence.
 * The command line exits with `exitCode`; it exits with 1 on an error without one.
 */
export class UsageError extends Error {
  readonly exitCode = 2
}
