// Without zod: the page imports this, too. The first of each is the default.

export const verifiedChoices = ['yes', 'no', 'all'] as const
export const hostingChoices = ['all', 'secure_cloud', 'community'] as const
