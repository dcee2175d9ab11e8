/** Grey lines in place of rows that are being read. */
export const Skeleton = () => (
  <div class="skeleton pad">
    <i />
    <i />
    <i />
  </div>
)
