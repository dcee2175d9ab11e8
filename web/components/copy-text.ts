/** Copies a text. Returns true if it was copied: browsers allow the clipboard only to pages over HTTPS or from this machine. */
export const copyText = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
