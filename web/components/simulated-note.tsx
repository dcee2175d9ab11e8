/** Stands on every page with figures of a simulated market. */
export const SimulatedNote = () => (
  <p class="banner" role="note">
    <strong>Simulated market.</strong> These machines and prices are generated for trying out rackrate.
  </p>
)
