/** The addresses of the demo accounts. */
export const demoHost = 'host@demo.invalid'
export const demoAdmin = 'admin@demo.invalid'
