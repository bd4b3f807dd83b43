// SPDX-License-Identifier: Apache-2.0
//! rapier behind functions of C (bench/rapier.h): a world of bodies of one shape each on a half-space. Double precision,
//! all settings as rapier has them but for the unit of length, which its documentation asks for. Nothing sleeps.
use rapier3d_f64::na::Unit;
use rapier3d_f64::prelude::*;

/// Position, then the quaternion with its real part first.
type Numbers = [f64; 7];

pub struct World {
    world: PhysicsWorld,
    bodies: Vec<RigidBodyHandle>,
    ground: ColliderHandle,
}

#[repr(C)]
pub struct Body {
    pose: Numbers,
    velocity: [f64; 3],
    spin: [f64; 3],
    ground_force: f64,
}

fn vector(n: &[f64; 3]) -> Vector {
    Vector::new(n[0], n[1], n[2])
}

fn pose(n: &Numbers) -> Pose {
    Pose::from_parts(Vector::new(n[0], n[1], n[2]), Rotation::from_xyzw(n[4], n[5], n[6], n[3]))
}

fn rough(collider: ColliderBuilder, friction: f64) -> ColliderBuilder {
    collider.friction(friction).restitution(0.0)
}

#[no_mangle]
pub extern "C" fn rapier_open(gravity: &[f64; 3], normal: &[f64; 3], offset: f64, friction: f64, unit: f64, iterations: i32) -> *mut World {
    let mut world = PhysicsWorld::new();
    world.gravity = vector(gravity);
    world.integration_parameters.length_unit = unit;
    world.integration_parameters.num_solver_iterations = iterations as usize;
    let fixed = world.insert_body(RigidBodyBuilder::fixed().translation(vector(normal) * offset));
    let half_space = ColliderBuilder::halfspace(Unit::new_unchecked(vector(normal)));
    let ground = world.insert_collider(rough(half_space, friction), Some(fixed));
    Box::into_raw(Box::new(World { world, bodies: Vec::new(), ground }))
}

/// A fixed body has no mass. `kind`: 0 box, 1 ball, 2 capsule and 3 cylinder along z, 4 hull of `count` points. 0: refused.
///
/// # Safety
/// `points` holds three times `count` numbers.
#[no_mangle]
pub unsafe extern "C" fn rapier_add(
    state: &mut World, kind: i32, size: &[f64; 3], points: *const f64, count: usize, mass: f64, at: &Numbers, friction: f64,
) -> i32 {
    let upright = Pose::from_parts(Vector::ZERO, Rotation::from_rotation_x(std::f64::consts::FRAC_PI_2));
    let shape = match kind {
        0 => Some(ColliderBuilder::cuboid(size[0], size[1], size[2])),
        1 => Some(ColliderBuilder::ball(size[0])),
        2 => Some(ColliderBuilder::capsule_z(size[2], size[0])),
        3 => Some(ColliderBuilder::cylinder(size[2], size[0]).position(upright)),
        _ => {
            let all = std::slice::from_raw_parts(points, 3 * count);
            let all: Vec<Vector> = all.chunks_exact(3).map(|p| Vector::new(p[0], p[1], p[2])).collect();
            ColliderBuilder::convex_hull(&all)
        }
    };
    let Some(shape) = shape else { return 0 };
    let body = if mass > 0.0 { RigidBodyBuilder::dynamic().can_sleep(false) } else { RigidBodyBuilder::fixed() };
    let (handle, _) = state.world.insert(body.pose(pose(at)), rough(shape, friction).mass(mass));
    if mass > 0.0 {
        state.bodies.push(handle);
    }
    1
}

#[no_mangle]
pub extern "C" fn rapier_step(state: &mut World, dt: f64) {
    state.world.integration_parameters.dt = dt;
    state.world.step();
}

/// Pairs of bodies in contact.
#[no_mangle]
pub extern "C" fn rapier_pairs(state: &World) -> i32 {
    state.world.contact_pairs().filter(|pair| pair.has_any_active_contact()).count() as i32
}

/// Magnitude of the normal impulses of a pair in the last step.
fn impulse_of(pair: &ContactPair) -> f64 {
    match &pair.contacts {
        PairContacts::Rigid(contacts) => {
            contacts.solver_manifolds().iter().flat_map(|m| m.points.iter()).map(|p| p.data.impulse).sum()
        }
        _ => 0.0,
    }
}

/// # Safety
/// `out` has room for as many bodies as were added with a mass.
#[no_mangle]
pub unsafe extern "C" fn rapier_read(state: &World, out: *mut Body) {
    let out = std::slice::from_raw_parts_mut(out, state.bodies.len());
    let dt = state.world.integration_parameters.dt;
    for (to, handle) in out.iter_mut().zip(&state.bodies) {
        let body = &state.world.bodies[*handle];
        let (p, q, v, w) = (body.translation(), body.rotation(), body.linvel(), body.angvel());
        to.pose = [p.x, p.y, p.z, q.w, q.x, q.y, q.z];
        to.velocity = [v.x, v.y, v.z];
        to.spin = [w.x, w.y, w.z];
        to.ground_force = 0.0;
    }
    for pair in state.world.contact_pairs() {
        let other = if pair.collider1 == state.ground {
            pair.collider2
        } else if pair.collider2 == state.ground {
            pair.collider1
        } else {
            continue;
        };
        let parent = state.world.colliders[other].parent();
        if let Some(i) = state.bodies.iter().position(|b| Some(*b) == parent) {
            out[i].ground_force += impulse_of(pair) / dt;
        }
    }
}

/// # Safety
/// `state` came from `rapier_open`.
#[no_mangle]
pub unsafe extern "C" fn rapier_close(state: *mut World) {
    drop(Box::from_raw(state));
}
