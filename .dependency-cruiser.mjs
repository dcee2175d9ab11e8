// The layers, top first. A folder may import the layers below it, never one beside or above
// (docs/architecture.md has the picture).
const layers = [
  ['cli'],
  ['workers'],
  ['src'],
  ['collect'],
  ['import', 'simulate'],
  ['ingest'],
  ['platform'],
  ['estimates'],
  ['contract'],
]

const above = layers.flatMap((folders, index) =>
  folders.map((folder) => {
    const forbidden = layers
      .slice(0, index + 1)
      .flat()
      .filter((other) => other !== folder)
    return {
      name: `no-import-up-from-${folder}`,
      comment: `${folder}/ imports only the layers below it`,
      severity: 'error',
      from: { path: `^${folder}/` },
      to: { path: `^(${[...forbidden, 'web', 'client', 'bench', 'test', 'tools'].join('|')})/` },
    }
  }),
)

// The rooms of src/, each with the rooms that it may import. A folder that has no line here is refused.
const rooms = {
  companion: [],
  market: [],
  hosts: ['market'],
  publish: ['market'],
  sql: ['market'],
  rules: ['market', 'hosts', 'companion'],
  alerts: ['market', 'hosts', 'companion', 'rules'],
  autopilot: ['market', 'hosts', 'companion', 'rules'],
  mcp: [],
  agent: [],
  'current-user': [],
  vault: ['companion', 'rules'],
}

const between = Object.entries(rooms).map(([room, imported]) => ({
  name: `src-${room}-imports-only-${imported.join('-') || 'itself'}`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: { path: '^src/', pathNot: `^src/(${[room, ...imported].join('|')})/` },
}))

export default {
  forbidden: [
    ...above,
    ...between,
    {
      name: 'a-room-of-src-has-a-line',
      severity: 'error',
      from: {},
      to: { path: '^src/[^/]+/', pathNot: `^src/(${Object.keys(rooms).join('|')})/` },
    },
    {
      name: 'no-circle',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'only-the-command-line-knows-the-embedded-engines',
      severity: 'error',
      from: { path: '^(workers|src|collect|import|simulate|ingest|platform|estimates|contract|web|client)/' },
      to: { path: '^embedded/' },
    },
    {
      name: 'embedded-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^embedded/' },
      to: { path: '^[a-z]+/', pathNot: '^(embedded|sql|node_modules)/', dependencyTypes: ['local'] },
    },
    {
      name: 'only-workers-know-bullmq',
      severity: 'error',
      from: { pathNot: '^(workers|test|bench)/' },
      to: { path: '^node_modules/(bullmq|bullmq-otel|@bull-board)/' },
    },
    {
      name: 'the-page-imports-contract-and-estimates-only',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^[a-z]+/', pathNot: '^(web|contract|estimates|node_modules)/' },
    },
    {
      name: 'the-client-stands-alone',
      severity: 'error',
      from: { path: '^client/' },
      to: { path: '^[a-z]+/', pathNot: '^(client|node_modules)/' },
    },
    {
      name: 'production-loads-no-development-package',
      severity: 'error',
      from: { path: `^(${layers.flat().join('|')}|embedded|client)/` },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'], // nothing of it is left in the build
      },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      // web/world-map.ts makes the module.
      to: { couldNotResolve: true, pathNot: '^virtual:world-map$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^((client/)?dist|node_modules/.*/node_modules)' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
