// SPDX-License-Identifier: Apache-2.0
//! parry behind functions of C (bench/parry.h): shapes as opaque pointers, the pose of B in A as seven numbers.
//! parry keeps nothing between questions about distance, so there is no warm form.
use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::query::{DefaultQueryDispatcher, QueryDispatcher};
use parry3d_f64::shape::{Shape, SharedShape};

/// Position, then the quaternion with its real part first.
type Numbers = [f64; 7];

fn pose(n: &Numbers) -> Pose {
    Pose::from_parts(Vector::new(n[0], n[1], n[2]), Rotation::from_xyzw(n[4], n[5], n[6], n[3]))
}

fn points(numbers: *const f64, count: usize) -> Vec<Vector> {
    let all = unsafe { std::slice::from_raw_parts(numbers, 3 * count) };
    all.chunks_exact(3).map(|p| Vector::new(p[0], p[1], p[2])).collect()
}

fn given(shape: Option<SharedShape>) -> *mut SharedShape {
    shape.map_or(std::ptr::null_mut(), |s| Box::into_raw(Box::new(s)))
}

#[no_mangle]
pub extern "C" fn parry_box(x: f64, y: f64, z: f64) -> *mut SharedShape {
    given(Some(SharedShape::cuboid(x, y, z)))
}

#[no_mangle]
pub extern "C" fn parry_capsule(half_length: f64, radius: f64) -> *mut SharedShape {
    given(Some(SharedShape::capsule_z(half_length, radius)))
}

/// NULL where parry finds no hull.
///
/// # Safety
/// `numbers` holds three times `count` numbers.
#[no_mangle]
pub unsafe extern "C" fn parry_hull(numbers: *const f64, count: usize) -> *mut SharedShape {
    given(SharedShape::convex_hull(&points(numbers, count)))
}

/// # Safety
/// `shape` came from one of the functions above, or is NULL.
#[no_mangle]
pub unsafe extern "C" fn parry_free(shape: *mut SharedShape) {
    if !shape.is_null() {
        drop(Box::from_raw(shape));
    }
}

/// 0 when they meet; NaN when parry has no answer.
///
/// # Safety
/// The shapes came from the functions above.
#[no_mangle]
pub unsafe extern "C" fn parry_distance(a: &SharedShape, b: &SharedShape, b_in_a: &Numbers) -> f64 {
    let (a, b): (&dyn Shape, &dyn Shape) = (a.as_ref(), b.as_ref());
    DefaultQueryDispatcher.distance(&pose(b_in_a), a, b).map_or(f64::NAN, |found| found.distance)
}

/// The signed distance of a contact; NaN when parry finds none.
///
/// # Safety
/// The shapes came from the functions above.
#[no_mangle]
pub unsafe extern "C" fn parry_depth(a: &SharedShape, b: &SharedShape, b_in_a: &Numbers) -> f64 {
    let (a, b): (&dyn Shape, &dyn Shape) = (a.as_ref(), b.as_ref());
    match DefaultQueryDispatcher.contact(&pose(b_in_a), a, b, 0.0) {
        Ok(Some(contact)) => contact.dist,
        _ => f64::NAN,
    }
}

/// 1 or 0; -1 when parry has no answer.
///
/// # Safety
/// The shapes came from the functions above.
#[no_mangle]
pub unsafe extern "C" fn parry_meet(a: &SharedShape, b: &SharedShape, b_in_a: &Numbers) -> i32 {
    let (a, b): (&dyn Shape, &dyn Shape) = (a.as_ref(), b.as_ref());
    DefaultQueryDispatcher.intersection_test(&pose(b_in_a), a, b).map_or(-1, |found| found.intersecting as i32)
}
