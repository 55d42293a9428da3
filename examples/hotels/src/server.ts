import { encodeNodeId, fromSources, tab, type SmallServer } from 'murmuration/kit';
import { fill, TOWN } from './fill';
import { hotelIndex } from './hotel-index';
import { createSchema } from './schema';
import { features } from './tables';

const point = encodeNodeId('PointOfInterest', '100');
const tabs = [
  tab(
    `# Hotels near the cathedral, the nearest first, with their free rooms.

query HotelsNear($point: ID!, $firstNight: Date!, $departure: Date!) {
  pointOfInterest(id: $point) {
    name
    hotels(first: 5) {
      edges {
        distance
        node {
          id
          name
          availableRooms(firstNight: $firstNight, departure: $departure) {
            room
            kind
          }
        }
      }
    }
  }
}
`,
    { point, firstNight: '2030-05-01', departure: '2030-05-04' },
  ),
  tab(
    `# Reserves three nights. If you run it twice, you get the same reservation. For another guest it is refused.

mutation Reserve($input: ReserveRoomInput!) {
  reserveRoom(input: $input) {
    reservation {
      confirmation
      hotel {
        name
      }
    }
  }
}
`,

    {
      input: {
        hotelId: encodeNodeId('Hotel', '1000'),
        room: 101,
        firstNight: '2030-05-01',
        departure: '2030-05-04',
        guest: 'Ada',
      },
    },
  ),
];
const emptyTab = `{
  pointsOfTown(town: "${TOWN}") {
    nodes {
      name
    }
  }
}
`;

/** The server. */
export const hotelServer: SmallServer = {
  title: 'Hotels',
  page: { tabs, emptyTab },
  keyspace: 'hotels',
  cql: fromSources(__dirname, '../cql'),
  createSchema,
  features,
  fill,
  indexes: [hotelIndex],
};
