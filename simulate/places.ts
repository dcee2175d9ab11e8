import { pick, type Random } from './random.ts'

/** A place of machines, as the marketplace stores it, and its share of all machines in hundredths. */
interface SimulatedPlace {
  geolocation: string
  latitude: number
  longitude: number
  share: number
}

const places: readonly SimulatedPlace[] = [
  { geolocation: 'California, US', latitude: 37.3387, longitude: -121.8853, share: 11 },
  { geolocation: 'Texas, US', latitude: 32.7767, longitude: -96.797, share: 9 },
  { geolocation: 'Virginia, US', latitude: 39.0438, longitude: -77.4874, share: 7 },
  { geolocation: 'Washington, US', latitude: 47.6062, longitude: -122.3321, share: 5 },
  { geolocation: 'Quebec, CA', latitude: 45.5019, longitude: -73.5674, share: 6 },
  { geolocation: 'Germany, DE', latitude: 50.1109, longitude: 8.6821, share: 9 },
  { geolocation: 'Sweden, SE', latitude: 59.3293, longitude: 18.0686, share: 4 },
  { geolocation: 'Norway, NO', latitude: 59.9139, longitude: 10.7522, share: 3 },
  { geolocation: 'Finland, FI', latitude: 60.1699, longitude: 24.9384, share: 2 },
  { geolocation: 'Poland, PL', latitude: 52.2297, longitude: 21.0122, share: 4 },
  { geolocation: 'Czechia, CZ', latitude: 50.0755, longitude: 14.4378, share: 3 },
  { geolocation: 'Bulgaria, BG', latitude: 42.6977, longitude: 23.3219, share: 2 },
  { geolocation: 'France, FR', latitude: 48.8566, longitude: 2.3522, share: 4 },
  { geolocation: 'Netherlands, NL', latitude: 52.3676, longitude: 4.9041, share: 4 },
  { geolocation: 'United Kingdom, GB', latitude: 51.5072, longitude: -0.1276, share: 4 },
  { geolocation: 'Spain, ES', latitude: 40.4168, longitude: -3.7038, share: 2 },
  { geolocation: 'Japan, JP', latitude: 35.6762, longitude: 139.6503, share: 4 },
  { geolocation: 'Taiwan, TW', latitude: 25.033, longitude: 121.5654, share: 4 },
  { geolocation: 'South Korea, KR', latitude: 37.5665, longitude: 126.978, share: 3 },
  { geolocation: 'Vietnam, VN', latitude: 10.8231, longitude: 106.6297, share: 2 },
  { geolocation: 'India, IN', latitude: 19.076, longitude: 72.8777, share: 2 },
  { geolocation: 'Australia, AU', latitude: -33.8688, longitude: 151.2093, share: 3 },
  { geolocation: 'Brazil, BR', latitude: -23.5505, longitude: -46.6333, share: 2 },
  { geolocation: 'South Africa, ZA', latitude: -26.2041, longitude: 28.0473, share: 1 },
]
const byShare = places.flatMap(({ share, ...place }) => Array<typeof place>(share).fill(place))

/** The place where a machine stands for life. One number is drawn. */
export const drawPlace = (random: Random) => pick(random, byShare)
