import 'reflect-metadata';
import { buildApi, type NodeTypes } from 'murmuration/kit';
import { HotelResolver, PointResolver, ReservationResolver, RoomResolver } from './resolvers';
import { hotels, points } from './tables';

const nodeTypes: NodeTypes = {
  Hotel: { key: 'hotelId', reads: [hotels], load: (load, hotelId) => load(hotels.get, { hotelId }) },
  PointOfInterest: {
    key: 'pointId',
    reads: [points],
    load: (load, pointId) => load(points.get, { pointId }),
  },
};

/** Builds the schema. */
export function createSchema() {
  return buildApi([PointResolver, HotelResolver, RoomResolver, ReservationResolver], nodeTypes);
}
