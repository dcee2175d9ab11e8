/** Wherever figures of a simulated market are shown. */
export const SimulatedNote = () => (
  <p class="banner" role="note">
    <strong>Simulated market.</strong> These machines and prices are made up, to try rackrate with.
  </p>
)
